package dev.eremite.detcore;

/**
 * Every failure that a person can meet, each with a code that stays the same, what it means and what to do about it.
 * {@code docs/errors.md} is made of these; a test compares the two. Codes are never used again for something else.
 */
public enum ErrorCode {
    // Printed by the launcher's scripts, before there is a JVM.
    NO_JDK("E001", "No JDK of version 25 or later was found.", "Install one, or set EREMITE_JAVA_HOME to one."),
    BAD_JAVA_HOME(
            "E002",
            "EREMITE_JAVA_HOME does not name a JDK of version 25 or later.",
            "Point it at one, or unset it so that the launcher looks for one."),
    NO_MAVEN("E003", "Maven is needed for the first build and was not found.", "Install it, then run Eremite again."),
    BUILD_FOLDER(
            "E004",
            "Eremite has to be built, and its .build folder cannot be written.",
            "Run it once as the user who owns the folder, and see that the disk is not full."),
    BUILD_FAILED("E005", "The build failed.", "See the log that the message names."),

    USAGE("E100", 2, "The command line is not understood.", "See eremite --help, or eremite VERB --help."),
    PROGRAM_NOT_FOUND(
            "E101",
            127,
            "The program was not found.",
            "Check its name and PATH; a program in this folder is called as ./NAME."),
    PROGRAM_NOT_EXECUTABLE(
            "E102",
            126,
            "The program is there but cannot be executed.",
            "Check its permissions (chmod +x), and run scripts without #! by their interpreter."),
    PROGRAM_NOT_64_BIT(
            "E103",
            "The program is not a 64-bit x86 program.",
            "Build it for x86-64; 32-bit and foreign programs cannot be recorded."),
    PROGRAM_SETUID(
            "E104",
            "The program would change its user or group when started (set-user-ID, set-group-ID).",
            "Run Eremite as that user, or use a copy without the bit."),
    WORKDIR("E105", "The working directory cannot be used.", "Name a folder that exists and that you may enter."),
    NOT_IN_THIS_BUILD("E106", "This build cannot do that.", "See the limits in the README."),
    GDB_NOT_FOUND(
            "E107",
            "gdb was not found.",
            "Install it (Debian, Ubuntu: apt-get install gdb), or name it with --gdb PATH."),
    TIME_OUT("E108", 124, "The program ran longer than the time given.", "Give a longer --record-timeout."),
    REPLAY_DIFFERS(
            "E109",
            "The replay did not print or return what the recording did.",
            "Keep the recording and report it: this is an error in Eremite."),
    DIVERGENCE(
            "E110",
            "The replayed program did something else than the recorded one.",
            "Keep the recording and report it: this is an error in Eremite, or the recording was changed."),
    GUEST_LOST(
            "E112",
            "Something killed a task that Eremite controls.",
            "See whether the memory was exhausted (dmesg), then try again."),
    TRACING_FAILED(
            "E113",
            "The kernel refused what Eremite needs to control a program.",
            "Run eremite doctor: it tells what is missing and how to get it."),
    PORT(
            "E114",
            "The port cannot be used.",
            "Choose another with --gdbserver-port or --port; 0 takes any that is free."),
    PROGRAM_LAYOUT(
            "E115",
            "The program is loaded where Eremite has its own pages.",
            "Link it at another address; only programs with a fixed address near 0x70000000 are concerned."),
    OUTPUT(
            "E116",
            "Standard output or standard error cannot be written.",
            "Open it, make room where it leads, or send it elsewhere."),
    PROCESS_NOT_FOUND(
            "E117", "The recording has no such process.", "Name one of those that gdb's monitor processes lists."),

    DISK_FULL(
            "E200",
            "The disk or the quota is full.",
            "Make room, or choose another place with --data-dir; what was recorded before stays readable."),
    RECORDING_IO(
            "E201",
            "A file of a recording cannot be read or written.",
            "Check the permissions and the disk that the message names."),
    RECORDING_INCOMPLETE(
            "E202", "A file of the recording is missing.", "Copy the whole folder of the recording, or record again."),
    RECORDING_DAMAGED(
            "E203", "The recording is damaged.", "Take it from a copy, or record again; eremite record rm removes it."),
    RECORDING_VERSION(
            "E204",
            "The recording has a format that this version does not read.",
            "Use the version of Eremite that made it, or record again."),
    RECORDING_NOT_FOUND("E205", "There is no such recording.", "See eremite record list."),
    RECORDING_AMBIGUOUS(
            "E206", "Several recordings answer to that name.", "Give more of the name; see eremite record list."),
    RECORDING_BUSY(
            "E207",
            "The recording is in use: it is being made or replayed.",
            "Wait for the end of the process that uses it, or end that process."),
    RECORDING_CUT(
            "E208",
            "The recording was cut short: the recording engine was killed, or the disk was full.",
            "What was recorded until then was replayed; record again for the rest."),

    INTERNAL(
            "E900",
            "An error in Eremite itself.",
            "Run the command again with --debug for a stack trace, and report it.");

    /** Status of failures of Eremite's own, as opposed to the guest's. */
    public static final int OWN_FAILURE = 125;

    private final String code;
    private final int exitStatus;
    private final String meaning;
    private final String cure;

    ErrorCode(String code, String meaning, String cure) {
        this(code, OWN_FAILURE, meaning, cure);
    }

    ErrorCode(String code, int exitStatus, String meaning, String cure) {
        this.code = code;
        this.exitStatus = exitStatus;
        this.meaning = meaning;
        this.cure = cure;
    }

    /** The stable code, such as {@code E101}. */
    public String code() {
        return code;
    }

    /** The exit status of a command that fails so: 2, 124, 125, 126 or 127. */
    public int exitStatus() {
        return exitStatus;
    }

    /** What happened, one sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do about it, one sentence. */
    public String cure() {
        return cure;
    }
}
