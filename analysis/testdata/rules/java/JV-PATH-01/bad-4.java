
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.multipart.MultipartFile;
@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  @PostMapping("/upload")
        public String upload(@RequestParam MultipartFile file) throws Exception {
          Path target = Path.of("/srv/uploads").resolve(file.getOriginalFilename()); // ← here
          file.transferTo(target);
          return "ok";
        }
}
