import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server with a thread pool, and clients in threads. */
public class Server {
    public static void main(String[] args) throws Exception {
        Set<String> names = ConcurrentHashMap.newKeySet();
        AtomicInteger served = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            names.add(Thread.currentThread().getName());
            byte[] body = ("answer " + served.incrementAndGet()).getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        Thread[] clients = new Thread[4];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Thread(() -> {
                HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                try {
                    for (int n = 0; n < 10; n++) {
                        client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            clients[i].start();
        }
        for (Thread client : clients) {
            client.join();
        }
        System.out.println("served " + served + " requests, " + clients.length + " threads, at " + System.nanoTime());
        server.stop(0);
        pool.shutdown();
        System.exit(0);
    }
}
