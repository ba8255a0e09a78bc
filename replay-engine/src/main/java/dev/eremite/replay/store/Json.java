package dev.eremite.replay.store;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** JSON by Jackson's streams; data binding would cost more at start-up than it saves here. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private static final ObjectWriteContext PRETTY = new ObjectWriteContext.Base() {
        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }
    };

    private Json() {}

    /** What {@code content} writes, in UTF-8; in many lines if it is to be pretty. */
    public static byte[] write(boolean pretty, Consumer<JsonGenerator> content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(pretty ? PRETTY : ObjectWriteContext.empty(), out)) {
            content.accept(json);
        }
        return out.toByteArray();
    }

    /** Text as JSON can hold it: half surrogate pairs, which names of files may have, are replaced. */
    static String text(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return new String(
                        value.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.charset.StandardCharsets.UTF_8);
            }
        }
        return value;
    }

    /**
     * The object in those bytes: maps, lists, strings, longs, booleans.
     *
     * @throws IllegalArgumentException when they are something else
     */
    static Map<String, Object> readObject(byte[] bytes, int offset, int length) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), bytes, offset, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            Map<String, Object> object = object(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("something follows the JSON object");
            }
            return object;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static Map<String, Object> object(JsonParser json) {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            object.put(name, value(json));
        }
        return object;
    }

    private static Object value(JsonParser json) {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(json));
                }
                yield list;
            }
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new IllegalArgumentException("unexpected " + json.currentToken());
        };
    }
}
