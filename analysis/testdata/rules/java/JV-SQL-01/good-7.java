
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
  @GetMapping("/orders")
        public String orders(@RequestParam int page, @RequestParam String name) {
          return jdbc.queryForObject("select total from orders where name = ? limit 10 offset " + page, String.class, name);
        }
}
