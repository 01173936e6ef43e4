
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;

@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  @GetMapping("/fetch")
        public String fetch(@RequestParam String host) {
          return rest.getForObject("https://" + host + "/status", String.class); // ← here
        }
}
