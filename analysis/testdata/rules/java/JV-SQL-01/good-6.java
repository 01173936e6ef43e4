
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String sort = request.getParameter("sort");
        String column = switch (sort) {
          case "n" -> "name";
          case "d" -> "date";
          default -> "id";
        };
        connection.createStatement().executeQuery("select * from t order by " + column);
  }
  
}
