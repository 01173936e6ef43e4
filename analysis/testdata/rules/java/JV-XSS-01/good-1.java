
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.apache.commons.lang3.StringUtils;
@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  @GetMapping("/echo")
        public String echo(@RequestParam String text) { return encode(text); }
        private static String encode(String text) {
          String amp = StringUtils.replace(text, "&", "&amp;");
          return StringUtils.replace(amp, "<", "&lt;");
        }
}
