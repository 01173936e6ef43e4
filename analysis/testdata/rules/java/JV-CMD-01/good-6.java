
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
        if (!host.matches("[a-z0-9.]{1,60}")) return;
        Runtime.getRuntime().exec("ping " + host);
  }
  
}
