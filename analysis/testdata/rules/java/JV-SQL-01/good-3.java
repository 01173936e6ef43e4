
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    List<String> values = new ArrayList<>();
        values.add("safe");
        values.add(request.getParameter("name"));
        values.add("also safe");
        values.remove(0);
        String name = values.get(1);
        connection.createStatement().executeQuery("select * from t where name = '" + name + "'");
  }
  
}
