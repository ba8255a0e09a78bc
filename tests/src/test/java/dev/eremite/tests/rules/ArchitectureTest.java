package dev.eremite.tests.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.foreign.Linker;

/**
 * Who may know whom: tracer, detcore, replay-engine, GDB's server, the debug adapter, the command; each knows only those
 * before it.
 */
@AnalyzeClasses(packages = "dev.eremite", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule ONE_NATIVE_BOUNDARY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.eremite.tracer.linux..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Linker.class);

    @ArchTest
    static final ArchRule TRACER_KNOWS_NO_POLICY = below(
            "dev.eremite.tracer..",
            "dev.eremite.detcore..",
            "dev.eremite.replay..",
            "dev.eremite.gdb..",
            "dev.eremite.dap..",
            "dev.eremite.cli..");

    @ArchTest
    static final ArchRule DETCORE_KNOWS_NO_RECORDINGS = below(
            "dev.eremite.detcore..",
            "dev.eremite.replay..",
            "dev.eremite.gdb..",
            "dev.eremite.dap..",
            "dev.eremite.cli..");

    @ArchTest
    static final ArchRule ENGINE_KNOWS_NO_SERVERS =
            below("dev.eremite.replay..", "dev.eremite.gdb..", "dev.eremite.dap..", "dev.eremite.cli..");

    @ArchTest
    static final ArchRule SERVER_KNOWS_ONLY_THE_DEBUG_TARGET = noClasses()
            .that()
            .resideInAPackage("dev.eremite.gdb..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are Eremite's, but neither its own, the debug target, nor failures",
                    (JavaClass other) -> other.getPackageName().startsWith("dev.eremite.")
                            && !other.getPackageName().startsWith("dev.eremite.gdb")
                            && !other.getPackageName().equals("dev.eremite.replay.debug")
                            && !other.getPackageName().equals("dev.eremite.detcore")))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ADAPTER_KNOWS_ONLY_THE_DEBUG_TARGET_AND_ITS_SERVER = noClasses()
            .that()
            .resideInAPackage("dev.eremite.dap..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are Eremite's, but neither its own, GDB's server, the debug target, nor failures",
                    (JavaClass other) -> other.getPackageName().startsWith("dev.eremite.")
                            && !other.getPackageName().startsWith("dev.eremite.dap")
                            && !other.getPackageName().equals("dev.eremite.gdb")
                            && !other.getPackageName().equals("dev.eremite.replay.debug")
                            && !other.getPackageName().equals("dev.eremite.detcore")));

    @ArchTest
    static final ArchRule LSP4J_IS_THE_ADAPTERS = only("org.eclipse.lsp4j..", "dev.eremite.dap..");

    @ArchTest
    static final ArchRule GSON_IS_FOR_LSP4JS_MESSAGES = only("com.google.gson..", "dev.eremite.dap.protocol..");

    @ArchTest
    static final ArchRule NETTY_IS_THE_SERVERS = only("io.netty..", "dev.eremite.gdb..");

    @ArchTest
    static final ArchRule CHRONICLE_IS_THE_LOGS = only("net.openhft..", "dev.eremite.replay.log..");

    @ArchTest
    static final ArchRule PICOCLI_IS_THE_COMMANDS = only("picocli..", "dev.eremite.cli..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_MODULES =
            slices().matching("dev.eremite.(*)..").should().beFreeOfCycles();

    private static ArchRule below(String layer, String... above) {
        return noClasses()
                .that()
                .resideInAPackage(layer)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .allowEmptyShould(true);
    }

    private static ArchRule only(String library, String... users) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(users)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .allowEmptyShould(true);
    }
}
