
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Map<String, String[]> all = request.getParameterMap();
        String[] values = all.get("name");
        PrintWriter out = response.getWriter();
        out.write(values[0]); // ← here
  }
  
}
