class ItemsController < ApplicationController
  def show
    redirect_to url_from(params[:return_to]) || root_path
  end
end
