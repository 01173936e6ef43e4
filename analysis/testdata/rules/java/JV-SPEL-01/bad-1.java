
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.springframework.expression.spel.standard.SpelExpressionParser; import org.springframework.expression.*;
@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  @GetMapping("/calc")
        public Object calc(@RequestParam String expression) {
          return new SpelExpressionParser().parseExpression(expression).getValue(); // ← here
        }
}
