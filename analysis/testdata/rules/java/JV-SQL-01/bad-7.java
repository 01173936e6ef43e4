import java.net.URLDecoder;
import java.net.URLEncoder;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.http.HttpServletRequest;

class Lists {
  void decoded(HttpServletRequest request, Statement statement) throws Exception {
    String name = URLDecoder.decode(URLEncoder.encode(request.getParameter("name"), "UTF-8"), "UTF-8");
    statement.executeQuery("select * from users where name = '" + name + "'"); // ← here
  }

  void joined(HttpServletRequest request, Statement statement) throws Exception {
    String names = Stream.of("'a'", request.getParameter("name")).collect(Collectors.joining(","));
    statement.executeQuery("select * from users where name in (" + names + ")"); // ← here
  }
}
