
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    request.getSession().setAttribute("role", pick(request.getParameterValues("role"))); // ← here
  }
  private String pick(String[] all) { return all.length > 0 ? all[0] : ""; }
}
