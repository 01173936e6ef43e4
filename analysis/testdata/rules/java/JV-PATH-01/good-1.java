
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    File file = new File("/srv/files", request.getParameter("file"));
        if (!file.getCanonicalPath().startsWith("/srv/files/")) throw new SecurityException();
        FileInputStream in = new FileInputStream(file);
  }
  
}
