
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("type");
        if (!name.equals("A") && !name.equals("B")) return;
        Class<?> type = Class.forName("shop." + name);
  }
  
}
