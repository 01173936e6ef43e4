
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    javax.xml.stream.XMLInputFactory factory = javax.xml.stream.XMLInputFactory.newInstance();
        factory.createXMLStreamReader(new StringReader(request.getParameter("xml"))); // ← here
  }
  
}
