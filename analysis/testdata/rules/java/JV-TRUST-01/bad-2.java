
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    HttpSession session = request.getSession();
        String name = request.getHeader("X-Name").trim();
        session.putValue(name, "10340"); // ← here
  }
  
}
