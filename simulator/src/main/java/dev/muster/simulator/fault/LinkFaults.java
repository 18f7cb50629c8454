package dev.muster.simulator.fault;

import dev.muster.simulator.fault.FaultAction.CutLinks;
import dev.muster.simulator.fault.FaultAction.DirectedLink;
import dev.muster.simulator.fault.FaultAction.Direction;
import dev.muster.simulator.fault.FaultAction.Isolate;
import dev.muster.simulator.fault.FaultAction.Split;
import java.util.ArrayList;
import java.util.List;

/** Links that carry nothing. */
final class LinkFaults {
    private LinkFaults() {}

    static void splits(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(45); i > 0; i--) {
            long at = drawing.moment();
            int groups = drawing.dice().chance(0.8) ? 2 : 3;
            List<Integer> groupOfSlot = new ArrayList<>();
            boolean loner = drawing.dice().chance(0.3);
            int alone = drawing.slot();
            for (int slot = 0; slot < drawing.ground().slots(); slot++) {
                groupOfSlot.add(loner ? (slot == alone ? 1 : 0) : drawing.dice().below(groups));
            }
            drawing.add(at, new Split(groupOfSlot, groups, drawing.outage(at)));
        }
    }

    static void partial(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(40); i > 0; i--) {
            long at = drawing.moment();
            List<Integer> involved = drawing.slots(drawing.ground().slots());
            List<DirectedLink> links = switch (drawing.dice().below(4)) {
                case 0, 1 -> bothWays(involved, Math.min(2, involved.size()));
                case 2 -> bridge(drawing, involved);
                default -> bothWays(involved, involved.size());
            };
            if (!links.isEmpty()) {
                drawing.add(at, new CutLinks(links, drawing.outage(at)));
            }
        }
    }

    /** Cuts neighbours in a ring over the first {@code count}: two make a pair, all make a ring of cuts. */
    private static List<DirectedLink> bothWays(List<Integer> involved, int count) {
        List<DirectedLink> links = new ArrayList<>();
        for (int i = 0; i < count && count > 1; i++) {
            int from = involved.get(i);
            int to = involved.get((i + 1) % count);
            links.add(new DirectedLink(from, to));
            if (count > 2) {
                links.add(new DirectedLink(to, from));
            }
        }
        return links;
    }

    /** Two sides that cannot talk, and one node that still reaches both. */
    private static List<DirectedLink> bridge(FaultDrawing drawing, List<Integer> involved) {
        List<DirectedLink> links = new ArrayList<>();
        int left = involved.size() < 3 ? 0 : drawing.dice().betweenInclusive(1, involved.size() - 2);
        for (int i = 0; i < left; i++) {
            for (int j = left + 1; j < involved.size(); j++) {
                links.add(new DirectedLink(involved.get(i), involved.get(j)));
                links.add(new DirectedLink(involved.get(j), involved.get(i)));
            }
        }
        return links;
    }

    static void oneWay(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(40); i > 0; i--) {
            long at = drawing.moment();
            int slot = drawing.slot();
            if (drawing.dice().chance(0.5)) {
                drawing.add(
                        at, new CutLinks(List.of(new DirectedLink(slot, drawing.slotBut(slot))), drawing.outage(at)));
            } else {
                Direction direction = drawing.dice().chance(0.5) ? Direction.IN : Direction.OUT;
                drawing.add(at, new Isolate(slot, direction, drawing.outage(at)));
            }
        }
    }
}
