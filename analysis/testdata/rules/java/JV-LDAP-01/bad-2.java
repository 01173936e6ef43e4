
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    javax.naming.directory.DirContext context = new javax.naming.directory.InitialDirContext();
        String filter = String.format("(&(objectclass=person)(uid=%s))", request.getHeader("uid"));
        context.search("ou=people", filter, new Object[] {}, null); // ← here
  }
  
}
