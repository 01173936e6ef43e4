
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    for (Cookie cookie : request.getCookies()) {
          if (cookie.getName().equals("file")) {
            String value = java.net.URLDecoder.decode(cookie.getValue(), "UTF-8");
            File file = new File("/srv/files", value); // ← here
            if (file.exists()) response.setStatus(200);
          }
        }
  }
  
}
