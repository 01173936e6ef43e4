
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    ObjectInputStream in = new ObjectInputStream(request.getInputStream());
        in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("shop.Order;!*"));
        in.readObject();
  }
  
}
