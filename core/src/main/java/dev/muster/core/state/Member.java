package dev.muster.core.state;

import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * One row of the cluster state: who, in which status, with which roles, and how old.
 *
 * @param upNumber the order in which members became up, 1 first; {@link #NOT_YET_UP} before that. Lower is older.
 * @param roles sorted, without duplicates, with exactly one that starts with {@code dc-}
 */
public record Member(NodeId id, MemberStatus status, int upNumber, List<String> roles, String appVersion)
        implements Comparable<Member> {

    public static final int NOT_YET_UP = Integer.MAX_VALUE;
    public static final String DATA_CENTER_PREFIX = "dc-";
    /** Begins roles that say which system a member runs, and in which version of what only its own kind understands. */
    public static final String KIND_PREFIX = "muster-";

    /** Members with this role have a partition table and understand each other about it. */
    public static final String MUSTER_ROLE = KIND_PREFIX + "1";

    public static final String DEFAULT_DATA_CENTER = "default";
    public static final String DEFAULT_APP_VERSION = "0.0.0";

    public Member {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(appVersion, "appVersion");
        if (status == MemberStatus.REMOVED) {
            throw new IllegalArgumentException(id + " cannot be a row with status Removed; it is a tombstone instead");
        }
        if (upNumber < 1) {
            throw new IllegalArgumentException("upNumber of " + id + " must be at least 1, was " + upNumber);
        }
        roles = normalizedRoles(roles);
    }

    public static Member joining(NodeId id, List<String> roles, String appVersion) {
        return new Member(id, MemberStatus.JOINING, NOT_YET_UP, roles, appVersion);
    }

    /** Whether it has an up number; whoever leaves or is downed while it joins never gets one. */
    public boolean hasBeenUp() {
        return upNumber != NOT_YET_UP;
    }

    /** Sorted, without duplicates, with the default data center added when none is named. */
    public static List<String> normalizedRoles(List<String> roles) {
        if (isNormalized(roles)) {
            return List.copyOf(roles);
        }
        TreeSet<String> sorted = new TreeSet<>(roles);
        long dataCenters =
                sorted.stream().filter(r -> r.startsWith(DATA_CENTER_PREFIX)).count();
        if (dataCenters > 1) {
            throw new IllegalArgumentException("a member has one data center, but its roles name several: " + sorted);
        }
        if (dataCenters == 0) {
            sorted.add(DATA_CENTER_PREFIX + DEFAULT_DATA_CENTER);
        }
        return List.copyOf(sorted);
    }

    private static boolean isNormalized(List<String> roles) {
        int dataCenters = 0;
        for (int i = 0; i < roles.size(); i++) {
            if (i > 0 && roles.get(i - 1).compareTo(roles.get(i)) >= 0) {
                return false;
            }
            if (roles.get(i).startsWith(DATA_CENTER_PREFIX)) {
                dataCenters++;
            }
        }
        return dataCenters == 1;
    }

    public String dataCenter() {
        return dataCenterOf(roles);
    }

    static String dataCenterOf(List<String> normalizedRoles) {
        for (String role : normalizedRoles) {
            if (role.startsWith(DATA_CENTER_PREFIX)) {
                return role.substring(DATA_CENTER_PREFIX.length());
            }
        }
        return DEFAULT_DATA_CENTER;
    }

    boolean sharesRealmWith(Member other) {
        return id.address().sameSystemAs(other.id.address())
                && (roles == other.roles || dataCenter().equals(other.dataCenter()));
    }

    public boolean hasRole(String role) {
        return roles.contains(role);
    }

    /** Whether it has a partition table, as members of other systems do not. */
    public boolean isMuster() {
        return roles.contains(MUSTER_ROLE);
    }

    public Member withStatus(MemberStatus next) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException(
                    id + " cannot go from " + status.displayName() + " to " + next.displayName());
        }
        return new Member(id, next, upNumber, roles, appVersion);
    }

    public Member up(int number) {
        return new Member(id, MemberStatus.UP, number, roles, appVersion);
    }

    /**
     * The join of two views of one member. Status and up number are joined on their own, so that a member which one
     * side knows as up and the other as leaving keeps the number it was given.
     */
    Member join(Member other) {
        MemberStatus further = status.isFurtherThan(other.status) ? status : other.status;
        int lowerNumber = Math.min(upNumber, other.upNumber);
        if (further == status && lowerNumber == upNumber) {
            return this;
        }
        if (further == other.status && lowerNumber == other.upNumber) {
            return other;
        }
        return new Member(id, further, lowerNumber, roles, appVersion);
    }

    /** Equality of two rows of one member, without the price of comparing everything. */
    boolean saysTheSameAs(Member other) {
        return status == other.status
                && upNumber == other.upNumber
                && (roles == other.roles || roles.equals(other.roles))
                && appVersion.equals(other.appVersion);
    }

    /** True when this one became up earlier; members that became up in one go are ordered by id. */
    public boolean isOlderThan(Member other) {
        return upNumber != other.upNumber ? upNumber < other.upNumber : id.compareTo(other.id) < 0;
    }

    @Override
    public int compareTo(Member other) {
        return id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return id + " " + status.displayName();
    }
}
