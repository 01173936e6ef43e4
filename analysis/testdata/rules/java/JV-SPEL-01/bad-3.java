
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.springframework.expression.spel.standard.SpelExpressionParser; import org.springframework.expression.*; import java.util.Map;
@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  @PostMapping("/rule")
        public void rule(@RequestBody Map<String, String> body) {
          ExpressionParser parser = new SpelExpressionParser();
          Expression rule = parser.parseExpression("price > " + body.get("limit")); // ← here
        }
}
