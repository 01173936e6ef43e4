
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    double value = Math.random();
        String rememberMeKey = Double.toString(value).substring(2); // ← here
        response.addCookie(new Cookie("rememberMe", rememberMeKey));
  }
  
}
