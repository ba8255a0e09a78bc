package dev.eremite.cli.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;

/**
 * A program to run.
 *
 * @param path the file for execve, found and checked; relative to {@code workdir} if it is not absolute
 * @param arguments argv from argv[0] on, bytes as the user gave them, without terminating zero bytes
 * @param environment {@code NAME=VALUE}, in order, likewise
 * @param descriptors the file descriptors that it inherits from the caller
 * @param workdir its working directory, absolute
 */
public record GuestProgram(
        String path, List<byte[]> arguments, List<byte[]> environment, SortedSet<Integer> descriptors, Path workdir) {}
