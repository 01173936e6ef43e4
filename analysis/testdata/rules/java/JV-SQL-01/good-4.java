
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String column = request.getParameter("sort");
        Set<String> allowed = Set.of("name", "date");
        if (!allowed.contains(column)) throw new IllegalArgumentException(column);
        connection.createStatement().executeQuery("select * from t order by " + column);
  }
  
}
