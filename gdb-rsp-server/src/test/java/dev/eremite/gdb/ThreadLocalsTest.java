package dev.eremite.gdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thread-local variables of the program, of a library and of a plug-in, seen by a real GDB in a process of glibc. */
@Timeout(120)
class ThreadLocalsTest {
    private static final String PROGRAM = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <unistd.h>
        __thread long pad[4];
        __thread int own = 7;
        #ifdef LIBRARIES
        extern __thread int of_library;
        #endif
        static pthread_barrier_t done;
        static int (*plug)(int);
        static void fill(int number) {
            void *thread_pointer;
            own = number + 100;
        #ifdef LIBRARIES
            of_library = number + 200;
            plug(number + 300);
        #endif
            __asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
            printf("%d %p %p %p\\n", gettid(), thread_pointer, (void *)fill, __builtin_frame_address(0));
            fflush(stdout);
        }
        static void *run(void *number) {
            fill((int)(long)number);
            pthread_barrier_wait(&done);
            pause();
            return 0;
        }
        int main(int argc, char **argv) {
            pthread_t thread;
        #ifdef LIBRARIES
            plug = (int (*)(int))dlsym(dlopen(argv[1], RTLD_NOW), "plug");
        #endif
            pthread_barrier_init(&done, 0, 2);
            fill(0);
            pthread_create(&thread, 0, run, (void *)1L);
            pthread_barrier_wait(&done);
            pause();
        }
        """;

    @TempDir
    Path directory;

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private String gdb(List<String> command, String... commands) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ExecutorService targetThread = Executors.newSingleThreadExecutor();
        try (LiveTarget target = new LiveTarget((int) process.pid());
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int thread = 0; thread < 2; thread++) {
                String[] words = lines.readLine().split(" ");
                target.thread(
                        Integer.parseInt(words[0]),
                        Long.decode(words[1]),
                        Long.decode(words[2]),
                        Long.decode(words[3]));
            }
            try (GdbServer server = GdbServer.start(target, targetThread, 0)) {
                return Gdb.run(server.port(), commands);
            }
        } finally {
            process.destroyForcibly().waitFor();
            targetThread.shutdown();
        }
    }

    @Test
    void shouldFindThemInProgramLibraryAndPlugIn() throws Exception {
        Files.writeString(directory.resolve("main.c"), PROGRAM);
        Files.writeString(directory.resolve("library.c"), "__thread int of_library = 1;\n");
        Files.writeString(
                directory.resolve("plug.c"),
                "__thread long big[999]; __thread int of_plug = 2; int plug(int n) { return of_plug = n; }\n");
        TinyProgram.run("gcc", "-g", "-shared", "-fPIC", "-o", file("library.so"), file("library.c"));
        TinyProgram.run("gcc", "-g", "-shared", "-fPIC", "-o", file("plug.so"), file("plug.c"));
        TinyProgram.run("gcc", "-g", "-DLIBRARIES", "-pthread", "-o", file("main"), file("main.c"), file("library.so"));
        String output = gdb(
                List.of(file("main"), file("plug.so")),
                "print own",
                "print of_library",
                "print of_plug",
                "thread 2",
                "print own",
                "print of_library",
                "print of_plug",
                "info sharedlibrary");
        assertThat(output).containsSubsequence("$1 = 100", "$2 = 200", "$3 = 300", "$4 = 101", "$5 = 201", "$6 = 301");
        assertThat(output).contains("target:" + file("plug.so"), "target:/lib/x86_64-linux-gnu/libc.so.6");
    }

    @Test
    void shouldFindThemInAStaticProgram() throws Exception {
        Files.writeString(directory.resolve("main.c"), PROGRAM);
        TinyProgram.run("gcc", "-g", "-static", "-pthread", "-o", file("static"), file("main.c"));
        String output = gdb(List.of(file("static")), "print own", "thread 2", "print own");
        assertThat(output).containsSubsequence("$1 = 100", "$2 = 101");
    }
}
