
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String host = request.getParameter("host");
        if (!List.of("a.example.com", "b.example.com").contains(host)) return;
        new java.net.URL("https://" + host).openStream();
  }
  
}
