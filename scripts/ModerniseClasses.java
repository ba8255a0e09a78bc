import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the jars of a folder such that the JVM's AOT cache takes their classes. It takes none of a class file version
 * below 50 (as picocli's are): they get stack maps and a newer version. And it takes none of signed jars (as LSP4J's are,
 * whose signatures the build tool has no use for): they lose their signatures. To load either from the jar, or to check a
 * signature, is a good part of a short command's time.
 *
 * <p>Usage: {@code java ModerniseClasses.java LIB_FOLDER}
 */
final class ModerniseClasses {
    private static final int OLDEST_ARCHIVED = 50;
    private static final ClassFileVersion JAVA_8 = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
    private static final int MAJOR_VERSION_OFFSET = 6;
    private static final Pattern SIGNATURE =
            Pattern.compile("META-INF/(SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))", Pattern.CASE_INSENSITIVE);

    private ModerniseClasses() {}

    public static void main(String[] args) throws IOException {
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(args[0]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
        for (Path jar : jars) {
            if (isSigned(jar) || hasOldClasses(jar)) {
                rewrite(jar);
            }
        }
    }

    private static boolean isSigned(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.stream().anyMatch(ModerniseClasses::isSignature);
        }
    }

    /** See the JAR File Specification, "Signed JAR File". */
    private static boolean isSignature(JarEntry entry) {
        return SIGNATURE.matcher(entry.getName()).matches();
    }

    private static boolean hasOldClasses(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : jar.stream().toList()) {
                if (isClass(entry)) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        // One class tells: a jar is compiled at once.
                        return isOld(in.readNBytes(MAJOR_VERSION_OFFSET + 2));
                    }
                }
            }
            return false;
        }
    }

    private static boolean isClass(JarEntry entry) {
        return entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/");
    }

    private static boolean isOld(byte[] bytes) {
        return ((bytes[MAJOR_VERSION_OFFSET] & 0xff) << 8 | bytes[MAJOR_VERSION_OFFSET + 1] & 0xff) < OLDEST_ARCHIVED;
    }

    private static void rewrite(Path path) throws IOException {
        Path rewritten = path.resolveSibling(path.getFileName() + ".new");
        try (JarFile jar = new JarFile(path.toFile());
                URLClassLoader loader = new URLClassLoader(new URL[] {path.toUri().toURL()});
                OutputStream file = Files.newOutputStream(rewritten);
                JarOutputStream out = new JarOutputStream(file)) {
            ClassFile classFile = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)
                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (isSignature(entry)) {
                    continue;
                }
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                JarEntry copy = new JarEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(isClass(entry) && isOld(bytes) ? modern(classFile, bytes) : bytes);
                out.closeEntry();
            }
        }
        Files.move(rewritten, path, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] modern(ClassFile classFile, byte[] bytes) {
        ClassTransform version = (builder, element) ->
                builder.with(element instanceof ClassFileVersion ? JAVA_8 : element);
        return classFile.transformClass(
                classFile.parse(bytes),
                version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
    }
}
