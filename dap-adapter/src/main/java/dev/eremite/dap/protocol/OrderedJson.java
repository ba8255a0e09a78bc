package dev.eremite.dap.protocol;

import com.google.gson.JsonElement;
import com.google.gson.JsonIOException;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.eclipse.lsp4j.jsonrpc.debug.json.DebugMessageJsonHandler;
import org.eclipse.lsp4j.jsonrpc.json.JsonRpcMethod;
import org.eclipse.lsp4j.jsonrpc.messages.Message;

/**
 * Reads messages whose members come in any order. LSP4J reads them one after another and gives up at the first that is
 * wrong; it could not tell which request that was if the number came later, and the client would wait for ever.
 */
final class OrderedJson extends DebugMessageJsonHandler {
    private static final List<String> FIRST = List.of("seq", "type", "command", "event", "request_seq");

    OrderedJson(Map<String, JsonRpcMethod> methods) {
        super(methods);
    }

    /** The way that every message takes, also one that is given as text. */
    @Override
    public Message parseMessage(Reader input) {
        try {
            return super.parseMessage(new StringReader(ordered(input.readAllAsString())));
        } catch (IOException e) {
            throw new JsonIOException(e);
        }
    }

    /** The same message, the members that tell what it is in front; what is no object stays as it is. */
    static String ordered(String text) {
        try {
            if (!(JsonParser.parseString(text) instanceof JsonObject object)) {
                return text;
            }
            JsonObject sorted = new JsonObject();
            for (String name : FIRST) {
                JsonElement member = object.remove(name);
                if (member != null) {
                    sorted.add(name, member);
                }
            }
            object.entrySet().forEach(member -> sorted.add(member.getKey(), member.getValue()));
            return sorted.toString();
        } catch (JsonParseException | StackOverflowError e) {
            // LSP4J words what is wrong with it.
            return text;
        }
    }
}
