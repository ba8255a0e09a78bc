package dev.eremite.cli;

/** Eremite's version. */
public final class Version {
    private Version() {}

    /** What the jar's manifest says; {@code (unpackaged)} where the classes are not in a jar. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(unpackaged)" : version;
    }
}
