package dev.eremite.replay.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What is known when a recording begins.
 *
 * @param eremite the version of Eremite
 * @param argv the guest's arguments, the first being its name
 * @param cwd the guest's working directory
 * @param env its environment as NAME=VALUE
 * @param executable the path of the program as it was found
 * @param kernel the release of the kernel
 * @param cpu the processor's model name
 */
public record RecordingStart(
        String eremite, List<String> argv, String cwd, List<String> env, String executable, String kernel, String cpu) {
    /** Takes defensive copies. */
    public RecordingStart {
        argv = List.copyOf(argv);
        env = List.copyOf(env);
    }

    /** A start on this machine, whose kernel and processor are asked of /proc. */
    public static RecordingStart here(
            String eremite, List<String> argv, String cwd, List<String> env, String executable) {
        return new RecordingStart(eremite, argv, cwd, env, executable, kernelRelease(), cpuModel());
    }

    private static String kernelRelease() {
        return System.getProperty("os.version", "");
    }

    private static String cpuModel() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("");
        } catch (IOException e) {
            // Only shown to people; a machine without /proc/cpuinfo records as well.
            return "";
        }
    }
}
