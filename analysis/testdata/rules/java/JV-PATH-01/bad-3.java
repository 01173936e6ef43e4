
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Enumeration<String> names = request.getHeaders("file");
        String name = names.hasMoreElements() ? names.nextElement() : "";
        byte[] content = Files.readAllBytes(Paths.get("/srv/files/" + name)); // ← here
  }
  
}
