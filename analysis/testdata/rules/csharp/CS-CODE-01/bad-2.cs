using System.Reflection;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var assembly = Assembly.LoadFrom("/plugins/" + id); // ← here
    return Ok(assembly.FullName);
  }
}
