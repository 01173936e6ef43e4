
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    response.getWriter().println(new Chooser().choose(request.getParameter("name")));
  }
  private class Chooser {
          String choose(String given) {
            String result = "default";
            String marks = "ABC";
            switch (marks.charAt(1)) {
              case 'A': result = given; break;
              case 'B': result = "bob"; break;
              default: result = given;
            }
            return result;
          }
        }
}
