
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    double value = SecureRandom.getInstance("SHA1PRNG").nextDouble();
        String rememberMeKey = Double.toString(value).substring(2);
        response.addHeader("X", rememberMeKey);
  }
  
}
