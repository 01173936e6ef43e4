
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
  @GetMapping("/hello")
        public String hello(@RequestParam String name) { return "Hello " + name; }
}
