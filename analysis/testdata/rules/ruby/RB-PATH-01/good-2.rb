class ItemsController < ApplicationController
  def show
    root = "/srv/files"
    path = File.expand_path(params[:name], root)
    raise ActionController::RoutingError, "none" unless path.start_with?("#{root}/")

    send_file path
  end
end
