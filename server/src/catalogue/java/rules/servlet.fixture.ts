// Shortens examples: statements and members in a servlet, in a controller, or in a class of no framework.

/** `request` and `response` are at hand. */
export const servlet = (statements: string, members = ''): string => `
package shop;
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
public class Page extends HttpServlet {
  private Connection connection;
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    ${statements.trim()}
  }
  ${members.trim()}
}
`

export const controller = (members: string, imports = ''): string => `
package shop;
import java.nio.file.*;
import jakarta.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
${imports.trim()}
@RestController
public class Orders {
  private JdbcTemplate jdbc;
  private RestTemplate rest;
  ${members.trim()}
}
`

export const plain = (members: string, imports = ''): string => `
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
${imports.trim()}
public class Tool {
  ${members.trim()}
}
`
