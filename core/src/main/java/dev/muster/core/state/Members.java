package dev.muster.core.state;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The members of a cluster in member order, as an immutable list with lookup by id.
 *
 * <p>A member's place in it is its <em>ordinal</em>. Ordinals mean something only together with the very state they
 * come from; seen sets use them because within one version they cannot change.
 */
public final class Members extends AbstractList<Member> implements RandomAccess {
    public static final Members NONE = new Members(new Member[0]);

    private static final Comparator<Member> RING_ORDER =
            Comparator.<Member>comparingInt(m -> m.id().ringHash()).thenComparing(Member::id);

    private final Member[] rows; // sorted by id

    // Computed once on demand, and shared by all who hold this very object.
    private Members ring;
    private List<String> userRoles;
    private String realm;

    private Members(Member[] sortedRows) {
        this.rows = sortedRows;
    }

    public static Members of(Collection<Member> members) {
        Member[] sorted = members.toArray(new Member[0]);
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i - 1].id().equals(sorted[i].id())) {
                throw new IllegalArgumentException("two rows for member " + sorted[i].id());
            }
        }
        return new Members(sorted);
    }

    @Override
    public Member get(int ordinal) {
        return rows[ordinal];
    }

    @Override
    public int size() {
        return rows.length;
    }

    /** The member's place in the list, or a negative number. */
    public int ordinalOf(NodeId id) {
        int low = 0;
        int high = rows.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = rows[middle].id().compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    public boolean has(NodeId id) {
        return ordinalOf(id) >= 0;
    }

    public Optional<Member> find(NodeId id) {
        int ordinal = ordinalOf(id);
        return ordinal < 0 ? Optional.empty() : Optional.of(rows[ordinal]);
    }

    /** The status of a member, or removed when there is no such row. */
    public MemberStatus statusOf(NodeId id) {
        int ordinal = ordinalOf(id);
        return ordinal < 0 ? MemberStatus.REMOVED : rows[ordinal].status();
    }

    /** Every incarnation at an address; usually none or one, two while an old one is being replaced. */
    public List<Member> at(NodeAddress address) {
        List<Member> found = new ArrayList<>(1);
        int start = ordinalOf(new NodeId(address, Long.MIN_VALUE));
        for (int i = start < 0 ? -start - 1 : start;
                i < rows.length && rows[i].id().address().equals(address);
                i++) {
            found.add(rows[i]);
        }
        return found;
    }

    /** These members with the row added, or replacing the row of the same id. */
    public Members with(Member member) {
        int ordinal = ordinalOf(member.id());
        Members changed = ordinal >= 0 ? replacing(ordinal, member) : inserting(-ordinal - 1, member);
        if (ring != null) {
            int place = ring.ringPositionOf(member.id());
            changed.ring = ordinal >= 0 ? ring.replacing(place, member) : ring.inserting(place, member);
        }
        return changed;
    }

    private Members replacing(int place, Member member) {
        Member[] changed = rows.clone();
        changed[place] = member;
        return new Members(changed);
    }

    private Members inserting(int place, Member member) {
        Member[] longer = new Member[rows.length + 1];
        System.arraycopy(rows, 0, longer, 0, place);
        longer[place] = member;
        System.arraycopy(rows, place, longer, place + 1, rows.length - place);
        return new Members(longer);
    }

    /** These members with each row replaced by what the function makes of it; the same object when nothing changed. */
    public Members mapping(UnaryOperator<Member> change) {
        Member[] changed = null;
        for (int i = 0; i < rows.length; i++) {
            Member next = change.apply(rows[i]);
            if (next != rows[i]) {
                changed = changed == null ? rows.clone() : changed;
                changed[i] = next;
            }
        }
        return changed == null ? this : new Members(changed);
    }

    /** All roles that some member has, sorted, without the data centers. */
    public List<String> userRoles() {
        List<String> found = userRoles;
        if (found == null) {
            TreeSet<String> roles = new TreeSet<>();
            for (Member row : rows) {
                for (String role : row.roles()) {
                    if (!role.startsWith(Member.DATA_CENTER_PREFIX) && !role.startsWith(Member.KIND_PREFIX)) {
                        roles.add(role);
                    }
                }
            }
            found = List.copyOf(roles);
            userRoles = found;
        }
        return found;
    }

    /** True when all members are of the system, protocol and data center of the given one. */
    public boolean areAllInRealmOf(Member member) {
        String found = realm;
        if (found == null) {
            found = rows.length == 0 ? "" : realmOf(rows[0]);
            for (Member row : rows) {
                if (!row.sharesRealmWith(rows[0])) {
                    found = "";
                    break;
                }
            }
            realm = found;
        }
        return found.equals(realmOf(member));
    }

    private static String realmOf(Member member) {
        NodeAddress address = member.id().address();
        return address.protocol() + "://" + address.system() + "/" + member.dataCenter();
    }

    /** The members in the order of the monitor ring. */
    public Members inRingOrder() {
        Members ordered = ring;
        if (ordered == null) {
            Member[] sorted = rows.clone();
            Arrays.sort(sorted, RING_ORDER);
            ordered = new Members(sorted);
            ring = ordered;
        }
        return ordered;
    }

    /** Where an id stands, or would stand, in a list that is in ring order. */
    public int ringPositionOf(NodeId id) {
        int low = 0;
        int high = rows.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            NodeId candidate = rows[middle].id();
            int byHash = Integer.compare(candidate.ringHash(), id.ringHash());
            int order = byHash != 0 ? byHash : candidate.compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * The first place in a list that is in ring order with this hash or a higher one; after the last comes the first.
     */
    public int ringPositionFrom(int hash) {
        int low = 0;
        int high = rows.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows[middle].id().ringHash() < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == rows.length ? 0 : low;
    }

    /** Both sides' members, the further view of each, without those that have a tombstone. */
    Members join(Members other, Tombstones tombstones) {
        // Nearly always one side has all that the other has, and then nothing needs to be built.
        Joining look = new Joining(this, other, tombstones, null);
        if (look.sameAsMine || look.sameAsOther) {
            return look.sameAsMine ? this : other;
        }
        Member[] joined = new Member[rows.length + other.rows.length];
        Joining build = new Joining(this, other, tombstones, joined);
        return new Members(Arrays.copyOf(joined, build.size));
    }

    /** One walk along two lists of members. */
    private static final class Joining {
        private boolean sameAsMine = true;
        private boolean sameAsOther = true;
        private int size;

        Joining(Members my, Members other, Tombstones tombstones, Member[] joined) {
            boolean needed = true;
            int i = 0;
            int j = 0;
            while (needed && (i < my.rows.length || j < other.rows.length)) {
                int order = i == my.rows.length ? 1 : j == other.rows.length ? -1 : my.rows[i].compareTo(other.rows[j]);
                Member mine = order <= 0 ? my.rows[i++] : null;
                Member theirs = order >= 0 ? other.rows[j++] : null;
                Member row = mine == null ? theirs : theirs == null || mine == theirs ? mine : mine.join(theirs);
                // Whoever is a member on both sides has a tombstone on neither.
                boolean oneSided = mine == null || theirs == null;
                if (oneSided && tombstones.has(row.id())) {
                    sameAsMine &= mine == null;
                    sameAsOther &= theirs == null;
                } else {
                    sameAsMine &= row == mine || mine != null && row.saysTheSameAs(mine);
                    sameAsOther &= row == theirs || theirs != null && row.saysTheSameAs(theirs);
                    if (joined != null) {
                        joined[size++] = row;
                    }
                }
                needed = joined != null || sameAsMine || sameAsOther;
            }
        }
    }

    /** These members without the ones that have a tombstone. */
    Members without(Tombstones tombstones) {
        Member[] left =
                Arrays.stream(rows).filter(row -> !tombstones.has(row.id())).toArray(Member[]::new);
        return left.length == rows.length ? this : new Members(left);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Members that && Arrays.equals(rows, that.rows);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(rows);
    }
}
