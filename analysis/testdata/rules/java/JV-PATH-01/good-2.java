
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Path root = Path.of("/srv/files");
        Path path = root.resolve(request.getParameter("file")).normalize();
        if (!path.startsWith(root)) return;
        Files.readAllBytes(path);
  }
  
}
