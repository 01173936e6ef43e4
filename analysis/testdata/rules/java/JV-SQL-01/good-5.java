
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String given = request.getParameter("kind");
        String kind;
        int number = 106;
        if ((7 * 18) + number > 200) kind = "constant";
        else kind = given;
        connection.createStatement().executeQuery("select * from t where kind = '" + kind + "'");
  }
  
}
