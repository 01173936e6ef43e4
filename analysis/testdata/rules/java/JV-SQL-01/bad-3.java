
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    StringBuilder sql = new StringBuilder("select * from t where ");
        sql.append("name = '").append(new Filter().name(request)).append("'");
        connection.createStatement().execute(sql.toString()); // ← here
  }
  private static class Filter {
          String name(HttpServletRequest request) {
            Map<String, String> parts = new HashMap<>();
            parts.put("kind", "fixed");
            parts.put("name", request.getParameter("name"));
            return parts.get("name");
          }
        }
}
