
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    UUID id = UUID.fromString(request.getParameter("id"));
        FileInputStream in = new FileInputStream("/srv/files/" + id);
  }
  
}
