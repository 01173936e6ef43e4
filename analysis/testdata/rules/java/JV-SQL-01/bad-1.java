
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String id = request.getParameter("id");
        Statement statement = connection.createStatement();
        statement.executeQuery("select * from orders where id = '" + id + "'"); // ← here
  }
  
}
