
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    java.net.URL url = new java.net.URL("http://" + request.getParameter("host"));
        java.net.URLConnection connection = url.openConnection(); // ← here
  }
  
}
