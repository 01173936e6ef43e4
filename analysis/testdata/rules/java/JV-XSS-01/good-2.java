
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    java.util.regex.Pattern digits = java.util.regex.Pattern.compile("[0-9]+");
        String page = request.getParameter("page");
        if (!digits.matcher(page).matches()) return;
        response.getWriter().println("<b>" + page);
  }
  
}
