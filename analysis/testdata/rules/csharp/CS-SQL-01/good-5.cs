using Microsoft.Data.SqlClient;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly SqlConnection connection;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (!int.TryParse(id, out var number)) return BadRequest();
    using var command = new SqlCommand($"select * from orders where id = {number}", connection);
    return Ok(command.ExecuteScalar());
  }
}
