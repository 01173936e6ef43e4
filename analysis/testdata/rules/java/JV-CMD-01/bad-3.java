
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    List<String> command = new ArrayList<>();
        if (System.getProperty("os.name").contains("Windows")) { command.add("cmd.exe"); command.add("/c"); }
        else { command.add("sh"); command.add("-c"); }
        command.add("echo " + request.getParameter("text"));
        ProcessBuilder builder = new ProcessBuilder();
        builder.command(command); // ← here
        builder.start();
  }
  
}
