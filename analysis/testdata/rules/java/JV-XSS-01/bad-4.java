
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = "";
        Enumeration<String> names = request.getParameterNames();
        while (names.hasMoreElements()) {
          String each = (String) names.nextElement();
          if (request.getParameter(each).equals("x")) name = each;
        }
        response.getWriter().format(Locale.US, "hello %s", name); // ← here
  }
  
}
