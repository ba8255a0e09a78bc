package dev.eremite.gdb.registers;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The target description as GDB reads it with {@code qXfer:features:read}: {@code target.xml}, which only includes one
 * file for each feature (LLDB numbers registers wrongly when features are given in place).
 */
public final class TargetDescription {
    private static final String HEADER = "<?xml version=\"1.0\"?>\n";

    private static final Map<Feature, String> TYPES = Map.of(
            Feature.CORE,
            coreTypes(),
            Feature.SSE,
            vectorType() + mxcsrType(),
            Feature.AVX512,
            vectorType() + "  <vector id=\"v2ui128\" type=\"uint128\" count=\"2\"/>\n",
            Feature.PKEYS,
            pkruType());

    private final Map<String, String> files = new LinkedHashMap<>();

    /** The description of a table. */
    public TargetDescription(RegisterTable table) {
        Set<Feature> features = new LinkedHashSet<>();
        table.rows().forEach(row -> features.add(row.feature()));
        StringBuilder target = new StringBuilder(HEADER)
                .append("<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n")
                .append("  <architecture>i386:x86-64</architecture>\n  <osabi>GNU/Linux</osabi>\n");
        for (Feature feature : features) {
            target.append("  <xi:include href=\"").append(feature.file()).append("\"/>\n");
            files.put(feature.file(), file(table, feature));
        }
        files.put("target.xml", target.append("</target>\n").toString());
    }

    /** The text of a file, if the description has one of that name. */
    public Optional<String> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    private static String file(RegisterTable table, Feature feature) {
        StringBuilder xml = new StringBuilder(HEADER)
                .append("<!DOCTYPE feature SYSTEM \"gdb-target.dtd\">\n<feature name=\"")
                .append(feature.gdbName())
                .append("\">\n")
                .append(TYPES.getOrDefault(feature, ""));
        for (int number = 0; number < table.count(); number++) {
            Register row = table.rows().get(number);
            if (row.feature() == feature) {
                String group = row.group().isEmpty() ? "" : " group=\"" + row.group() + "\"";
                xml.append("  <reg name=\"%s\" bitsize=\"%d\" type=\"%s\" regnum=\"%d\"%s/>%n"
                        .formatted(row.name(), row.bits(), row.type(), number, group));
            }
        }
        return xml.append("</feature>\n").toString();
    }

    private static String coreTypes() {
        return flags("i386_eflags", new String[] {
            "CF:0", ":1", "PF:2", "AF:4", "ZF:6", "SF:7", "TF:8", "IF:9", "DF:10", "OF:11", "NT:14", "RF:16", "VM:17",
            "AC:18", "VIF:19", "VIP:20", "ID:21"
        });
    }

    private static String mxcsrType() {
        return flags("i386_mxcsr", new String[] {
            "IE:0", "DE:1", "ZE:2", "OE:3", "UE:4", "PE:5", "DAZ:6", "IM:7", "DM:8", "ZM:9", "OM:10", "UM:11", "PM:12",
            "FZ:15"
        });
    }

    private static String pkruType() {
        String[] fields = new String[32];
        for (int key = 0; key < 16; key++) {
            fields[2 * key] = "AD" + key + ":" + 2 * key;
            fields[2 * key + 1] = "WD" + key + ":" + (2 * key + 1);
        }
        return flags("i386_pkru", fields);
    }

    private static String flags(String id, String[] fields) {
        StringBuilder xml = new StringBuilder("  <flags id=\"" + id + "\" size=\"4\">\n");
        for (String field : fields) {
            String[] parts = field.split(":", 2);
            xml.append("    <field name=\"%s\" start=\"%s\" end=\"%s\"/>%n".formatted(parts[0], parts[1], parts[1]));
        }
        return xml.append("  </flags>\n").toString();
    }

    private static String vectorType() {
        String[][] members = {
            {"v4f", "ieee_single", "4", "v4_float"},
            {"v2d", "ieee_double", "2", "v2_double"},
            {"v16i8", "int8", "16", "v16_int8"},
            {"v8i16", "int16", "8", "v8_int16"},
            {"v4i32", "int32", "4", "v4_int32"},
            {"v2i64", "int64", "2", "v2_int64"}
        };
        StringBuilder vectors = new StringBuilder();
        StringBuilder union = new StringBuilder("  <union id=\"vec128\">\n");
        for (String[] member : members) {
            vectors.append(
                    "  <vector id=\"%s\" type=\"%s\" count=\"%s\"/>%n".formatted(member[0], member[1], member[2]));
            union.append("    <field name=\"%s\" type=\"%s\"/>%n".formatted(member[3], member[0]));
        }
        return vectors.toString() + union + "    <field name=\"uint128\" type=\"uint128\"/>\n  </union>\n";
    }
}
